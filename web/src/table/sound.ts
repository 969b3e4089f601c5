// Two soft sounds, made here: a tick for a card, a chime for one's turn. Off unless wished for.
import { settings } from '../parts/settings.svelte'

let audio: AudioContext | undefined

function tone(pitch: number, seconds: number, loud: number): void {
  audio ??= new AudioContext()
  const now = audio.currentTime
  const [source, gain] = [audio.createOscillator(), audio.createGain()]
  source.frequency.value = pitch
  gain.gain.setValueAtTime(loud, now)
  gain.gain.exponentialRampToValueAtTime(0.0001, now + seconds)
  source.connect(gain).connect(audio.destination)
  source.start(now)
  source.stop(now + seconds)
}

export function sound(what: 'card' | 'turn'): void {
  if (!settings.sound) return
  if (what === 'card') tone(220, 0.07, 0.12)
  else {
    tone(880, 0.35, 0.08)
    tone(1320, 0.5, 0.05)
  }
}
