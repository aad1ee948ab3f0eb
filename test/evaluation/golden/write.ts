/** Writes the golden set: `node test/evaluation/golden/write.ts`. The committed JSONL is what the gates read. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as crisis from './crisis.ts'
import { fifth } from './fifth.ts'
import { classes, fourth, languages } from './fourth.ts'
import { second, third } from './later.ts'
import * as rest from './rest.ts'

interface Row {
  id: string
  slice: string
  tier: 'ok' | 'caution' | 'high' | 'crisis'
  text: string
  reason: string
}

const rows = (slice: string, tier: Row['tier'], reason: string, texts: readonly string[]): Row[] =>
  [...new Set(texts)].map((text, index) => ({ id: `${slice}-${index + 1}`, slice, tier, text, reason }))

const files: Record<string, Row[]> = {
  explicit: [
    ...rows('explicit', 'crisis', 'first person, present, said in plain words', crisis.explicit),
    ...rows('disguised', 'crisis', 'the same said in disguise: spelling, signs, spacing or slang', crisis.disguised),
  ],
  'hard-crisis': rows('hard-crisis', 'crisis', 'a sincere wish, plan or act amid other talk', [
    ...crisis.hardByHand,
    ...crisis.hardByGrammar,
  ]),
  'misleading-negation': rows('misleading-negation', 'crisis', 'a “not” that does not take the wish to die away', [
    ...rest.misleading,
    ...rest.misleadingByGrammar,
  ]),
  'benign-idiom': rows('benign-idiom', 'ok', 'a manner of speaking, a game, a title or an accident', [
    ...rest.benignIdiom,
    ...rest.idiomByGrammar,
  ]),
  jest: rows('jest', 'high', 'explicit words with a trivial cause or a laugh: never a crisis, never less than high', [
    ...rest.jest,
    ...rest.jestByGrammar,
  ]),
  quoted: rows('quoted', 'caution', 'words of a book, song, lesson, game or the news', rest.quoted),
  ordinary: rows('ordinary', 'ok', 'ordinary talk of teenagers', [...rest.ordinary, ...rest.ordinaryByGrammar]),
  stress: rows('stress', 'ok', 'everyday stress with no sign of danger', [...rest.stress, ...rest.stressByGrammar]),
  negated: [
    ...rows('negated', 'caution', 'the student says the opposite', [...rest.negated, ...rest.negatedByGrammar]),
    ...rows('past-resolved', 'caution', 'over, and said to be over', rest.past),
  ],
  other: rows('other', 'high', 'danger to somebody else', [...rest.other, ...rest.otherByGrammar]),
  indirect: rows('indirect', 'caution', 'no explicit words, but clearly not well', rest.indirect),
}

const laterTiers: Record<string, Row['tier']> = {
  crisis: 'crisis',
  disguised: 'crisis',
  high: 'high',
  jest: 'high',
  ok: 'ok',
  negpast: 'caution',
}
for (const [name, writing] of Object.entries({ second, third, fourth, fifth }))
  files[`later-${name}`] = Object.entries(writing).flatMap(([kind, texts]) =>
    rows(
      `${name}-${kind}`,
      laterTiers[kind]!,
      'written after the rules, from everyday knowledge of how it is said',
      texts,
    ),
  )

files.classes = Object.entries(classes).flatMap(([kind, { tier, texts }]) =>
  rows(`class-${kind}`, tier, 'a kind of danger that was read as nothing or too little', texts),
)
files.languages = Object.entries(languages).flatMap(([kind, { tier, texts }]) =>
  rows(`language-${kind}`, tier, 'another language, or English with a foreign word in it', texts),
)

for (const [name, content] of Object.entries(files)) {
  const path = join(import.meta.dirname, `${name}.jsonl`)
  writeFileSync(path, content.map((row) => JSON.stringify(row)).join('\n') + '\n')
  process.stdout.write(`${name}: ${content.length} rows\n`)
}
