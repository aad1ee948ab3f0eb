/** The targets over the public sets and the golden set. The texts are passed in; nothing is read here. */
import { dialogueTargets } from './dialogue-targets.ts'
import { atLeast, type SuiteRow, type Target } from './suite.ts'

type Json = Record<string, unknown>
/** Gives the rows of a public set or of a golden file; none where it is not at hand. */
export type Source = (name: string) => Json[]

const row = (json: Json): SuiteRow => ({ id: String(json['id']), text: String(json['text']) })

/** All targets, public sets first. */
export function targetsOf(publicSet: Source, golden: Source): Target[] {
  return [
    ...publicTargets(publicSet),
    ...goldenTargets(golden),
    ...strangerTargets(golden),
    ...sealedTargets(golden),
    ...dialogueTargets(golden),
  ]
}

function publicTargets(set: Source): Target[] {
  const tweets = set('tsid_tweets')
  const noted = (...notes: string[]): SuiteRow[] =>
    tweets.filter((json) => notes.includes(String(json['reader_note']))).map(row)
  const comments = set('goemotions_ordinary')
  const stressors = set('sad_stressors').filter((json) => Number(json['avg_severity']) < 8)
  const ordinary = [
    ...comments.filter(({ subset }) => subset === 'ordinary'),
    ...set('isarcasm_tweets'),
    ...stressors,
  ].map(row)
  const people = set('cssrs_reddit').map(
    (json) => ({ ...json, text: (json['posts'] as string[]).join('\n\n') }) as Json,
  )
  const labelled = (...labels: string[]): SuiteRow[] =>
    people.filter(({ label }) => labels.includes(String(label))).map(row)
  const serious = noted('serious', 'bare')
  const most = (share: number) => ({ at: 'most', share }) as const
  const least = (share: number) => ({ at: 'least', share }) as const
  const caution = { counts: '≥ caution', hit: atLeast('caution') }
  const high = { counts: '≥ high', hit: atLeast('high') }
  const crisis = { counts: 'crisis', hit: atLeast('crisis') }
  return [
    // With so few rows the target allows one miss.
    { name: 'sincere short messages', source: 'tsid', ...high, limit: least(Math.min(0.98, 1 - 1 / Math.max(serious.length, 1))), rows: serious },
    { name: 'sincere short messages', source: 'tsid', ...crisis, limit: least(0.9), rows: serious },
    { name: 'joking use', source: 'tsid hyperbole', ...crisis, limit: most(0.25), rows: noted('hyperbole') },
    { name: 'joking use', source: 'tsid hyperbole', ...high, limit: least(0.9), rows: noted('hyperbole') },
    { name: 'quoted, news, games', source: 'tsid other', ...crisis, limit: most(0.3), rows: noted('other') },
    { name: 'long posts at risk', source: 'cssrs by user', ...caution, limit: least(0.9), rows: labelled('Ideation', 'Behavior', 'Attempt') },
    { name: 'people who help others (for information)', source: 'cssrs by user', ...caution, limit: null, rows: labelled('Supportive') },
    { name: 'distressed posts without a risk label', source: 'cams', ...caution, limit: null, rows: set('cams').map(row) },
    { name: 'ordinary talk and everyday stress', source: 'goemotions, isarcasm, sad', ...caution, limit: most(0.015), rows: ordinary },
    { name: 'ordinary talk and everyday stress', source: 'goemotions, isarcasm, sad', ...crisis, limit: most(0.001), rows: ordinary },
    { name: 'comments with death words (some are meant)', source: 'goemotions', ...caution, limit: null, rows: comments.filter(({ subset }) => subset !== 'ordinary').map(row) },
    { name: 'posts without stress', source: 'dreaddit', ...caution, limit: null, rows: set('dreaddit_stress').filter(({ stress }) => stress === 0).map(row) },
    { name: 'posts with stress', source: 'dreaddit', ...caution, limit: null, rows: set('dreaddit_stress').filter(({ stress }) => stress === 1).map(row) },
  ] // prettier-ignore
}

function goldenTargets(golden: Source): Target[] {
  const rows = (file: string): SuiteRow[] => golden(file).map(row)
  const target = (name: string, file: string, counts: string, tier: 'caution' | 'high' | 'crisis', at: 'least' | 'most', share: number): Target => ({ name, source: `golden ${file}`, counts, limit: { at, share }, rows: rows(file), hit: atLeast(tier) }) // prettier-ignore
  return [
    target('explicit, plain and disguised', 'explicit', 'crisis', 'crisis', 'least', 1),
    target('hard crises', 'hard-crisis', 'crisis', 'crisis', 'least', 0.995),
    target('misleading negation', 'misleading-negation', 'crisis', 'crisis', 'least', 1),
    target('indirect ideation', 'indirect', '≥ caution', 'caution', 'least', 0.8),
    target('joking use', 'jest', 'crisis', 'crisis', 'most', 0.3),
    target('joking use', 'jest', '≥ high', 'high', 'least', 1),
    target('quoted, news, games', 'quoted', 'crisis', 'crisis', 'most', 0.3),
    target('everyday idiom', 'benign-idiom', '≥ high', 'high', 'most', 0),
    target('everyday idiom', 'benign-idiom', '≥ caution', 'caution', 'most', 0.02),
    target('ordinary talk', 'ordinary', '≥ caution', 'caution', 'most', 0.02),
    target('everyday stress', 'stress', '≥ caution', 'caution', 'most', 0.02),
    target('negated, past and resolved', 'negated', 'crisis', 'crisis', 'most', 0.05),
    { name: 'about someone else', source: 'golden other', counts: 'high and flagged', limit: { at: 'least', share: 0.95 }, rows: rows('other'), hit: ({ tier, about_other }) => about_other && tier === 'high' },
    target('about someone else', 'other', 'crisis', 'crisis', 'most', 0.05),
  ] // prettier-ignore
}

/** Sentences of two writers who saw neither the rules nor the corpus, and whose sentences nothing was fitted on. */
function strangerTargets(golden: Source): Target[] {
  const all = [...golden('stranger-first'), ...golden('stranger-second')]
  const rows = (...slices: string[]): SuiteRow[] => all.filter(({ slice }) => slices.includes(String(slice))).map(row)
  const target = (name: string, slices: string[], counts: string, tier: 'caution' | 'high' | 'crisis', limit: Target['limit']): Target => ({ name: `strangers: ${name}`, source: 'golden stranger', counts, limit, rows: rows(...slices), hit: atLeast(tier) }) // prettier-ignore
  const least = (share: number) => ({ at: 'least', share }) as const
  const most = (share: number) => ({ at: 'most', share }) as const
  return [
    target('explicit', ['explicit'], 'crisis', 'crisis', least(0.99)),
    target('explicit', ['explicit'], '≥ high', 'high', least(1)),
    target('disguised', ['disguised'], 'crisis', 'crisis', least(0.99)),
    target('disguised', ['disguised'], '≥ high', 'high', least(1)),
    target('misleading negation', ['negation'], 'crisis', 'crisis', least(0.95)),
    target('misleading negation', ['negation'], '≥ high', 'high', null),
    target('imminent, without the usual words', ['indirect', 'long'], 'crisis', 'crisis', null),
    target('imminent, without the usual words', ['indirect', 'long'], '≥ caution', 'caution', least(0.8)),
    target('despair and hints', ['concern'], '≥ caution', 'caution', least(0.8)),
    target('self-harm', ['self-harm'], '≥ caution', 'caution', null),
    target('threats and abuse', ['threat', 'abuse'], '≥ high', 'high', null),
    target('joking use', ['jest'], 'crisis', 'crisis', most(0.25)),
    target('joking use', ['jest'], '≥ high', 'high', least(0.9)),
    target('quoted, news, games', ['quoted'], 'crisis', 'crisis', most(0.3)),
    target('denied, past and resolved', ['denied'], 'crisis', 'crisis', most(0.05)),
    { ...target('about someone else', ['other'], 'high and flagged', 'high', least(0.95)), hit: ({ tier, about_other }) => about_other && tier === 'high' },
    target('about someone else', ['other'], 'crisis', 'crisis', most(0.04)),
    target('everyday idiom', ['idiom'], '≥ high', 'high', most(0)),
    target('everyday idiom', ['idiom'], '≥ caution', 'caution', most(0.02)),
    target('ordinary talk and everyday stress', ['ordinary', 'stress'], '≥ caution', 'caution', most(0.02)),
    target('ordinary talk and everyday stress', ['ordinary', 'stress'], 'crisis', 'crisis', most(0.001)),
  ] // prettier-ignore
}

/** Kinds of danger that used to be missed, and of harmless talk that used to be taken for it. */
const missedKinds = ['wish-it-happened', 'means', 'giving-up', 'asking-to-stay', 'farewell', 'swearing', 'past-and-now']
const mistakenKinds = ['trivial-cause', 'titles', 'comic-conditional', 'lyrics', 'news', 'wordplay', 'leaving-a-place', 'parting-words'] // prettier-ignore

/** Sentences of four writers that nobody read and nothing was tuned on: measured when everything else was done. */
function sealedTargets(golden: Source): Target[] {
  const all = [...golden('sealed'), ...golden('sealed-spanish')]
  const rows = (slices: readonly string[]): SuiteRow[] =>
    all.filter(({ slice }) => slices.includes(String(slice))).map(row)
  const least = (share: number) => ({ at: 'least', share }) as const
  const most = (share: number) => ({ at: 'most', share }) as const
  const target = (name: string, slices: readonly string[], tier: 'caution' | 'high' | 'crisis', limit: Target['limit']): Target => ({ name: `sealed: ${name}`, source: 'golden sealed', counts: tier === 'crisis' ? 'crisis' : `≥ ${tier}`, limit, rows: rows(slices), hit: atLeast(tier) }) // prettier-ignore
  return [
    target('explicit, plain and disguised', ['explicit', 'disguised'], 'crisis', least(0.99)),
    target('explicit, plain and disguised', ['explicit', 'disguised'], 'high', least(1)),
    target('explicit, plain', ['explicit'], 'crisis', null),
    target('explicit, disguised', ['disguised'], 'crisis', null),
    target('sincere short messages', ['sincere-short'], 'crisis', least(0.9)),
    target('sincere short messages', ['sincere-short'], 'high', least(0.98)),
    target('long posts with a line of danger', ['long'], 'caution', least(0.88)),
    target('“I don’t want to be here” kinds', ['not-here'], 'crisis', least(0.95)),
    target('“I don’t want to be here” kinds', ['not-here'], 'caution', null),
    target('joking use', ['jest'], 'crisis', most(0.25)),
    target('joking use', ['jest'], 'high', least(0.9)),
    target('denied, past and resolved', ['denied'], 'crisis', most(0.05)),
    { ...target('about someone else', ['other'], 'high', least(0.95)), counts: 'high and flagged', hit: ({ tier, about_other }) => about_other && tier === 'high' },
    target('about someone else', ['other'], 'crisis', most(0.04)),
    target('ordinary talk of teenagers', ['ordinary'], 'caution', most(0.05)),
    target('ordinary talk of teenagers', ['ordinary'], 'crisis', most(0.001)),
    target('stressed but fine', ['stress'], 'caution', most(0.06)),
    target('Spanish, explicit and mixed', ['spanish-explicit', 'spanish-mixed-crisis'], 'crisis', least(1)),
    target('Spanish, disguised and “no quiero estar aquí”', ['spanish-disguised', 'spanish-not-here'], 'crisis', null),
    target('Spanish, indirect, despair, self-harm', ['spanish-indirect', 'spanish-concern', 'spanish-selfharm'], 'caution', null),
    target('Spanish, ordinary, idiom and stress', ['spanish-ordinary', 'spanish-idiom', 'spanish-stress', 'spanish-mixed-ok'], 'caution', most(0.02)),
    target('Spanish, denied', ['spanish-denied'], 'crisis', most(0.05)),
    ...missedKinds.map((kind) => target(kind.replaceAll('-', ' '), [kind], 'caution', null)),
    ...missedKinds.map((kind) => target(kind.replaceAll('-', ' '), [kind], 'high', null)),
    ...mistakenKinds.map((kind) => target(kind.replaceAll('-', ' '), [kind], 'caution', null)),
    ...mistakenKinds.map((kind) => target(kind.replaceAll('-', ' '), [kind], 'high', null)),
  ] // prettier-ignore
}

/** Slices of strangers' and sealed sentences by whether somebody should look: what a probability is judged by. */
const graveSlices: ReadonlySet<string> = new Set([
  ...['explicit', 'disguised', 'negation', 'not-here', 'sincere-short', 'long', 'indirect', 'concern', 'self-harm', 'threat', 'abuse', 'other'],
  ...missedKinds,
]) // prettier-ignore

export interface JudgedRow extends SuiteRow {
  slice: string
  /** Somebody should look. */
  positive: boolean
}

/** Sentences of writers whom neither reader has seen, for the reliability of the probabilities. */
export function leftOutRows(golden: Source): Record<'strangers' | 'sealed', JudgedRow[]> {
  const judged = (json: Json): JudgedRow => {
    const slice = String(json['slice'])
    return { ...row(json), slice, positive: graveSlices.has(slice) }
  }
  const strangers = [...golden('stranger-first'), ...golden('stranger-second')]
  return { strangers: strangers.map(judged), sealed: golden('sealed').map(judged) }
}
