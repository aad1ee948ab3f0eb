/** Numbers in sentences, by the rules of the language that screens and reports are written in. */
export const language = 'en-US'

const rules = new Intl.PluralRules(language)
const numbers = new Intl.NumberFormat(language)

/** “12,345”. */
export function numberText(number: number): string {
  return numbers.format(number)
}

const tenths = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** Milliseconds as seconds with one decimal: “0.4”. */
export function secondsText(milliseconds: number): string {
  return tenths.format(milliseconds / 1000)
}

const lists = new Intl.ListFormat(language)

/** “A, B, and C”. */
export function listText(items: readonly string[]): string {
  return lists.format(items)
}

type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>

/** The form that fits the number, with the number for `#`: `plural(2, { one: '# alert', other: '# alerts' })`. */
export function plural(count: number, forms: Forms): string {
  return (forms[rules.select(count)] ?? forms.other).replaceAll('#', numberText(count))
}
