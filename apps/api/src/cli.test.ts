import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findPort } from '../test/faults/app-process.ts'

const run = promisify(execFile)

test('without its database, a command says so in a sentence', async () => {
  const DATABASE_URL = `postgres://nobody@127.0.0.1:${await findPort()}/none`
  const ended = run(process.execPath, [join(import.meta.dirname, 'cli.ts'), 'totals', 'verify'], {
    env: { ...process.env, DATABASE_URL },
  })
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The database, or a part of it, is not available: .*\n$/),
  })
})
