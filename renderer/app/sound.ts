/** The sound of an alert, made on the spot: two soft notes (chime) or one struck bell. Never longer than 1.5 s. */
import { useSyncExternalStore } from 'react'
import type { Preferences } from '../../shared/views.ts'

let context: AudioContext | null = null
/** A sound waits for the first touch; a second one on top of it would only be louder. */
let held = false
const listeners = new Set<() => void>()

function audio(): AudioContext | null {
  if (!context && typeof AudioContext !== 'undefined') {
    context = new AudioContext()
    context.addEventListener('statechange', () => listeners.forEach((tell) => tell()))
    // A browser lets sound begin only after the person has touched the page once.
    const wake = () => void context?.resume()
    window.addEventListener('pointerdown', wake)
    window.addEventListener('keydown', wake)
  }
  return context
}

/** Partials of each sound: frequency (Hz), start (s), length (s), loudness (0–1). */
const sounds: Record<'chime' | 'bell', readonly (readonly [number, number, number, number])[]> = {
  chime: [
    [659.3, 0, 0.5, 0.22],
    [880, 0.18, 0.7, 0.22],
    [1318.5, 0.18, 0.5, 0.06],
  ],
  bell: [
    [523.3, 0, 1.4, 0.2],
    [1046.5, 0, 1.1, 0.1],
    [1567, 0, 0.8, 0.06],
    [2793, 0, 0.4, 0.03],
  ],
}

/** Sounds it once; `pitch` and `loudness` are factors. What the browser holds back is heard once, at the first touch. */
export function playSound(
  name: 'chime' | 'bell',
  { pitch, loudness: gained }: { pitch: number; loudness: number } = { pitch: 1, loudness: 1 },
): void {
  const out = audio()
  if (!out || (held && out.state === 'suspended')) return
  held = out.state === 'suspended'
  void out.resume()
  for (const [frequency, start, length, loudness] of sounds[name]) {
    const tone = out.createOscillator()
    const gain = out.createGain()
    const from = out.currentTime + start
    tone.frequency.value = frequency * pitch
    gain.gain.setValueAtTime(0, from)
    gain.gain.linearRampToValueAtTime(Math.min(1, loudness * gained), from + 0.015)
    gain.gain.exponentialRampToValueAtTime(0.0001, from + length)
    tone.connect(gain).connect(out.destination)
    tone.start(from)
    tone.stop(from + length)
  }
}

/** The sound of a new alert: a crisis always sounds, whatever was chosen. Null = silence. */
export function soundFor(tier: 'crisis' | 'high', chosen: Preferences['sound']): 'chime' | 'bell' | null {
  if (chosen !== 'off') return chosen
  return tier === 'crisis' ? 'chime' : null
}

/** So long a browser that lets sound begin takes at most to do so (milliseconds). */
const beginsWithin = 1000

/** Sounds it once; false where it cannot be heard now: the browser holds it back, or this machine has no sound. */
export async function trySound(name: 'chime' | 'bell'): Promise<boolean> {
  playSound(name)
  const out = audio()
  if (!out) return false
  // Where it is held back, this waits for the first touch.
  const late = new Promise((done) => setTimeout(done, beginsWithin))
  await Promise.race([out.resume().catch(() => undefined), late])
  return out.state === 'running'
}

/** Has the browser let sound begin; to be called while it handles a press. */
export function turnOnSound(): void {
  void audio()?.resume()
}

/** Whether the browser still holds sound back. */
export function useSoundHeldBack(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      audio()
      return () => listeners.delete(listener)
    },
    () => context?.state === 'suspended',
  )
}
