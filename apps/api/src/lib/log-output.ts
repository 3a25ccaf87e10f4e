import { writeSync } from 'node:fs'

/**
 * Where log lines go: a file, terminal or pipe, by its descriptor. A line that it does not take, because its disk is
 * full or its reader gone, is left out: pino's own output would end the process, and never finish ending it.
 */
export function logOutput(descriptor: number): { write(line: string): void } {
  let isTorn = false

  return {
    write(line) {
      let rest = Buffer.from(isTorn ? `\n${line}` : line)
      try {
        for (let tries = 0; rest.length > 0;) {
          const written = writeNow(descriptor, rest)
          rest = rest.subarray(written)
          if (written > 0) isTorn = rest.length > 0
          if (written === 0 && ++tries > mostTries) return
        }
      } catch {
        // There is nowhere left to say it.
      }
    },
  }
}

/** How long a reader who is behind may keep the process waiting, a hundredth of a second a try. */
const mostTries = 100

/** How many bytes were taken; 0 when a reader is behind. */
function writeNow(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    return 0
  }
}
