/** Ids of schools, and what is said of another school's. */

/** Why an event of a school that this console does not serve is set aside. */
export const anotherSchool = 'belongs to another school'

/** A school's id in its one form: lower case, without the braces that some systems write around a UUID. */
export function normalSchoolId(text: string): string {
  return text
    .trim()
    .replace(/^\{(.*)\}$/, '$1')
    .toLowerCase()
}
