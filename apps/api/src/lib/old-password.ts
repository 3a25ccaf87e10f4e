import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { atMost } from './at-most.ts'

/** Costs more than this take seconds to check, and each step doubles it. */
const highestBcryptCost = 14

/** Whether it is a bcrypt hash whose check takes no longer than a sign-in may. */
export function isUsableBcrypt(hash: string): boolean {
  const [, cost] = /^\$2[aby]\$(\d\d)\$[./\dA-Za-z]{53}$/.exec(hash) ?? []
  return cost !== undefined && Number(cost) >= 4 && Number(cost) <= highestBcryptCost
}

/** One at a time: each keeps a core busy. */
const inTurn = atMost({ running: 1, waiting: 32 })

/**
 * Whether the password is the one of a bcrypt hash. It is computed beside the thread that serves, which would
 * otherwise stand still for a tenth of a second and more.
 *
 * @throws BusyError when too many are waiting.
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

/** As PHP and its like made them: of the bytes as they were typed, in lower-case hex. */
export const md5Of = (password: string): string => createHash('md5').update(password).digest('hex')
