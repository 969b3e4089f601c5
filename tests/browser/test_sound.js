// Count the tones and noises that start.
export const countSounds = () => {
  window.heard = 0
  for (const source of [OscillatorNode, AudioBufferSourceNode]) {
    const start = source.prototype.start
    source.prototype.start = function (...when) {
      window.heard += 1
      return start.apply(this, when)
    }
  }
}
