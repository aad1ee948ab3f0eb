/** Ids of schools. */

/** A school's id in its one form: lower case, without the braces that some systems write around a UUID. */
export function normalSchoolId(text: string): string {
  return text
    .trim()
    .replace(/^\{(.*)\}$/, '$1')
    .toLowerCase()
}
