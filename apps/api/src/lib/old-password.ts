import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { atMost } from './at-most.ts'

/** Higher costs take seconds to verify; each step doubles the time. */
const highestBcryptCost = 14

/** Whether the text is a bcrypt hash that is cheap enough to verify on sign-in. */
export function isUsableBcrypt(hash: string): boolean {
  const [, cost] = /^\$2[aby]\$(\d\d)\$[./\dA-Za-z]{53}$/.exec(hash) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= highestBcryptCost
}

/** One at a time: each keeps a core busy. */
const inTurn = atMost({ running: 1, waiting: 32 })

/**
 * Whether the password matches a bcrypt hash. Computed in a worker thread, as it would block the event loop for
 * 100 ms or more.
 *
 * @throws BusyError if the queue is full.
 */
export function matchesBcrypt(password: string, hash: string): Promise<boolean> {
  return inTurn(async () => {
    const worker = new Worker(new URL('bcrypt-worker.ts', import.meta.url), {
      workerData: { password, hash },
    })
    const [matches] = (await once(worker, 'message')) as [boolean]
    return matches
  })
}

/** As PHP applications computed it: of the UTF-8 bytes as typed, in lower-case hex. */
export const md5Of = (password: string): string => createHash('md5').update(password).digest('hex')
