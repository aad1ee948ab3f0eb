/** Whether a message is in a language that the patterns do not cover. */
import type { Reading } from './words.ts'

const english = new Set('i you the to a and is am are it my me not do of in on for that this was with have be so no what just but we he she they at can if like want go get up'.split(' ')) // prettier-ignore
const elsewhere = new Set('porque mas vida todo nada nadie gracias mucho ya yo que de la el los las en un una por con para pero muy mi yo te se es esta estoy como le les des une dans pour avec sur ne pas je tu il nous vous et du au ich und der die das nicht ist ein eine mit zu wir auf uma nao não eu meu com voce di che il non sono una mi per ako ang ng sa mga hindi toi khong la va'.split(' ')) // prettier-ignore

/** Words no English sentence holds: where no English word stands beside them, one is enough. */
const unmistakable = new Set('quiero estoy muy tengo siento puedo vivir morir quisiera triste je suis tres veux mourir vivre jai ich bin sehr nicht mich sterben leben mochte eu estou muito morrer viver vou quero sono molto voglio morire vivere mwen vle tris mouri anpil toi muon chet buon rat gusto ako malungkot ngayon mamatay ayoko'.split(' ')) // prettier-ignore

/** Share of letters of other scripts above which a message counts as not covered. */
const foreignShare = 0.3
const leastLetters = 2
const leastWords = 3

export function isUncovered({ words, letters, foreignLetters }: Reading): boolean {
  if (letters >= leastLetters && foreignLetters / letters > foreignShare) return true
  if (words.length < 2) return false
  let known = 0
  const other = new Set<string>()
  let certain = false
  for (const { forms } of words) {
    const form = forms.at(-1)!
    if (english.has(form)) known += 1
    else if (unmistakable.has(form) || elsewhere.has(form)) other.add(form)
    certain ||= unmistakable.has(form)
  }
  if (certain && known === 0) return true
  return words.length >= leastWords && other.size >= 2 && other.size > known * 1.5
}
