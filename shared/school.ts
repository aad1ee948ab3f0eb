/** Ids of schools, and what is said of another school's. */

/** Why an event of a school that this console does not serve is set aside. */
export const anotherSchool = 'belongs to another school'

/**
 * A school's id in its one form: lower case, without the braces that some systems write around a UUID,
 * and with the hyphens that others leave out. What is in that form already stays as it is.
 */
export function normalSchoolId(text: string): string {
  const bare = text.replace(/^[\s{]+|[\s}]+$/g, '').toLowerCase()
  const uuid = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(bare)
  return uuid ? uuid.slice(1).join('-') : bare
}
