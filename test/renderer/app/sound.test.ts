import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type * as Sound from '../../../renderer/app/sound.ts'

/** What the browser is asked to sound: frequencies (Hz) and how loud each gets (0–1). */
interface Tone {
  frequency: number
  loudest: number
}

let tones: Tone[]
let state: AudioContextState

class FakeAudioContext {
  currentTime = 0
  destination = {}
  get state() {
    return state
  }
  addEventListener() {}
  resume() {
    return Promise.resolve()
  }
  createOscillator() {
    const tone: Tone = { frequency: 0, loudest: 0 }
    const frequency = {
      set value(hertz: number) {
        tone.frequency = hertz
      },
    }
    return {
      frequency,
      connect: (gain: { tone: Tone | null }) => {
        gain.tone = tone
        return gain
      },
      start: () => tones.push(tone),
      stop: () => undefined,
    }
  }
  createGain() {
    const made = {
      tone: null as Tone | null,
      gain: {
        setValueAtTime: () => undefined,
        linearRampToValueAtTime: (loudness: number) => loud.push([made, loudness]),
        exponentialRampToValueAtTime: () => undefined,
      },
      connect: () => {
        for (const [gain, loudness] of loud) if (gain === made && made.tone) made.tone.loudest = loudness
        return made
      },
    }
    return made
  }
}
const loud: [object, number][] = []

let sound: typeof Sound

beforeAll(async () => {
  vi.stubGlobal('AudioContext', FakeAudioContext)
  vi.stubGlobal('window', { addEventListener: () => undefined })
  sound = await import('../../../renderer/app/sound.ts')
})
afterAll(() => vi.unstubAllGlobals())
beforeEach(() => {
  tones = []
  state = 'running'
})

it('is the same two notes, higher and louder as it is asked to be, and never beyond what can be heard whole', () => {
  const { playSound } = sound
  playSound('chime')
  const soft = tones
  tones = []
  playSound('chime', { pitch: 1.2, loudness: 2 })
  expect(tones.map(({ frequency }) => frequency)).toEqual(soft.map(({ frequency }) => frequency * 1.2))
  for (const [index, tone] of tones.entries()) expect(tone.loudest).toBeCloseTo((soft[index]?.loudest ?? 0) * 2)
  playSound('bell', { pitch: 1, loudness: 100 })
  expect(Math.max(...tones.map(({ loudest }) => loudest))).toBe(1)
})

it('is asked for once while the browser holds it back, however often it repeats', () => {
  const { playSound } = sound
  state = 'suspended'
  for (let time = 0; time < 10; time += 1) playSound('chime')
  expect(tones).toHaveLength(3)
  state = 'running'
  playSound('chime')
  expect(tones).toHaveLength(6)
})

it('of a crisis cannot be turned off; of anything lesser it can', () => {
  const { soundFor } = sound
  expect(soundFor('crisis', 'off')).toBe('chime')
  expect(soundFor('high', 'off')).toBeNull()
  expect(soundFor('high', 'bell')).toBe('bell')
})
