import { compareSync } from 'bcryptjs'
import { parentPort, workerData } from 'node:worker_threads'

const { password, hash } = workerData as { password: string; hash: string } // from matchesBcrypt
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(compareSync(password, hash))
