import { expect, it } from 'vitest'
import {
  ariaKeys,
  beginsSequence,
  keyList,
  keyNames,
  keyPressed,
  shownKeys,
} from '../../../renderer/controls/key-list.ts'
import { words } from '../../../renderer/words/index.ts'

it('no two keys are pressed alike, and none is the beginning of another', () => {
  const presses = Object.values(keyList).flatMap((entry) =>
    'also' in entry ? [entry.press, entry.also] : [entry.press],
  )
  expect(new Set(presses).size).toBe(presses.length)
  expect(presses.filter(beginsSequence)).toEqual([])
})

it('every key has words of its own', () => {
  const said = keyNames.map((name) => words.keys.list[name])
  expect(Object.keys(words.keys.list).sort()).toEqual([...keyNames].sort())
  expect(new Set(said).size).toBe(said.length)
})

it('is the keyboard that people learned', () => {
  expect(keyNames.map((name) => keyList[name].press).join(' · ')).toBe(
    'g a · g d · g s · g e · g o · g t · g h · . · u · / · Mod+k · Mod+l · ? · j · k · Home · End · Enter · d · Escape · a · h · n · r · e · i · o',
  )
})

it('is found by what was pressed, and written for people and for assistive technology', () => {
  expect([keyPressed('j'), keyPressed('ArrowDown'), keyPressed('g a'), keyPressed('g')]).toEqual([
    'next',
    'next',
    'goAlerts',
    null,
  ])
  expect([beginsSequence('g'), beginsSequence('a')]).toEqual([true, false])
  expect([shownKeys('goAlerts'), shownKeys('lock')]).toEqual([['g', 'a'], ['Ctrl L']])
  expect([ariaKeys('goAlerts'), ariaKeys('lock')]).toEqual(['g a', 'Control+l'])
})
