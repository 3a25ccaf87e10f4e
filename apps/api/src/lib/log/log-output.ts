import { writeSync } from 'node:fs'

/**
 * Writes log lines directly to the descriptor of a file, terminal or pipe. Lines that cannot be
 * written, because the disk is full or the reader has exited, are dropped. Pino's own output would
 * end the process, and hang while doing so.
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
        // There is nowhere left to report it.
      }
    },
  }
}

/** How long a slow reader may block the process, in attempts of 10 ms. */
const mostTries = 100

/** Returns the number of bytes written; 0 if the reader is behind. */
function writeNow(descriptor: number, bytes: Buffer): number {
  try {
    return writeSync(descriptor, bytes)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
    return 0
  }
}
