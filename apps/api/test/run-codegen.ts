import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Connection } from '../src/db/connection.ts'

const apiDir = join(import.meta.dirname, '..')
const program = join(apiDir, '../../node_modules/kysely-codegen/dist/cli/bin.js')

/** Runs kysely-codegen with the settings of `.kysely-codegenrc.json` on a migrated database. */
export function runCodegen(
  connection: Connection,
  args: string[] = [],
): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: apiDir,
    env: { ...process.env, DATABASE_URL: connection.url },
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}
