// Synthesized sounds: noise for cards, glass partials for gems, a bell for your turn.
import type { EventInfo } from '../client/types'

export type SoundName = 'deal' | 'play' | 'turn' | 'win' | 'crystal' | 'yours' | 'chat' | 'end'

/** Sounds by event. */
const EVENT_SOUNDS: Record<string, SoundName> = {
  dealt: 'deal',
  played: 'play',
  discarded: 'play',
  dug: 'play',
  gave: 'play',
  turned: 'turn',
  trick: 'win',
  conquered: 'win',
  claimed: 'crystal',
  grew: 'crystal',
  diamond: 'crystal',
  heart: 'crystal',
  spade: 'crystal',
  club: 'crystal',
}
const SOUND_INTERVAL_S = 0.13

let audio: AudioContext | undefined
let out: AudioNode

/** Open the audio output, with a compressor for simultaneous sounds. Browsers allow sound only after the first press. */
function openAudio(): AudioContext | null {
  if (!audio) {
    audio = new AudioContext()
    const limit = audio.createDynamicsCompressor()
    limit.threshold.value = -18
    out = audio.createGain()
    ;(out as GainNode).gain.value = 0.7
    out.connect(limit).connect(audio.destination)
  }
  if (audio.state === 'suspended') {
    if (!navigator.userActivation?.hasBeenActive) return null
    void audio.resume()
  }
  return audio
}

/** Return a gain envelope: a fast attack, then a decay. */
function shape(at: number, seconds: number, loud: number, swell = 0.004): GainNode {
  const gain = audio!.createGain()
  gain.gain.setValueAtTime(0.0001, at)
  gain.gain.exponentialRampToValueAtTime(loud, at + swell)
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds)
  gain.connect(out)
  return gain
}

/** Play a tone with partials, each shorter than the previous one: glass at 1 : 2.76 : 5.4, a bell at 1 : 2 : 3. */
function tone(at: number, pitch: number, seconds: number, loud: number, partials = [1, 2, 3]): void {
  partials.forEach((partial, k) => {
    const source = audio!.createOscillator()
    source.frequency.value = pitch * partial
    source.connect(shape(at, seconds / (1 + k), loud / (1 + 2 * k)))
    source.start(at)
    source.stop(at + seconds)
  })
}

/** Play the sound of paper: band-passed noise. */
function paper(at: number, pitch: number, seconds: number, loud: number): void {
  const rate = audio!.sampleRate
  const noise = audio!.createBuffer(1, Math.ceil(rate * seconds), rate)
  const samples = noise.getChannelData(0)
  for (let k = 0; k < samples.length; k++) samples[k] = 2 * Math.random() - 1
  const source = audio!.createBufferSource()
  source.buffer = noise
  const band = audio!.createBiquadFilter()
  band.type = 'bandpass'
  band.frequency.value = pitch
  band.Q.value = 0.8
  source.connect(band).connect(shape(at, seconds, loud))
  source.start(at)
}

const GLASS = [1, 2.76, 5.4]
const SYNTHESIZERS: Record<SoundName, (at: number) => void> = {
  deal: (at) => [0, 0.07, 0.14, 0.21, 0.28].forEach((later) => paper(at + later, 2600 + 3000 * later, 0.06, 0.25)),
  play(at) {
    paper(at, 1900, 0.07, 0.4)
    tone(at, 150, 0.07, 0.2, [1])
  },
  turn: (at) => [587, 880].forEach((pitch, k) => tone(at + 0.09 * k, pitch, 0.35, 0.12, GLASS)),
  win: (at) => [523, 659, 784].forEach((pitch, k) => tone(at + 0.07 * k, pitch, 0.3, 0.1)),
  crystal: (at) => tone(at, 1568, 0.5, 0.07, GLASS),
  yours(at) {
    tone(at, 880, 0.5, 0.11)
    tone(at + 0.12, 1175, 0.6, 0.09)
  },
  chat: (at) => tone(at, 660, 0.12, 0.09, [1, 2]),
  end: (at) => [523, 659, 784, 1047].forEach((pitch, k) => tone(at + 0.14 * k, pitch, k < 3 ? 0.4 : 1.2, 0.13)),
}

/** Play the sounds of events, each once and in order, then `more`. */
export function playSound(told: readonly EventInfo[], more: SoundName[]): void {
  const now = openAudio()?.currentTime
  if (now === undefined) return
  const voices = told.flatMap(({ event }) => EVENT_SOUNDS[event.event] ?? [])
  ;[...new Set([...voices, ...more])].forEach((voice, k) => SYNTHESIZERS[voice](now + 0.02 + SOUND_INTERVAL_S * k))
}
