import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../../../..')

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
}

/** What a release of this platform is called. */
export const releaseName = `tallyroom-${version}-${process.platform}-${process.arch}`

/** A folder for what these tests make, which is large. */
export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'tallyroom-release-'))

/** Runs a command to its end, and returns what it says. */
export function run(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; input?: string } = {},
): string {
  return execFileSync(command, args, {
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    ...options,
    env: { ...process.env, ...options.env },
  })
}

/** A builder's machine: where they cloned what is committed, and what their shell is like. */
export type Builder = { folder: string; umask: string; env: NodeJS.ProcessEnv }

/** Builds a release in a clone of its own. @returns the folder of the archive */
export function buildRelease({ folder, umask, env }: Builder, commit: string, key: string): string {
  mkdirSync(folder, { recursive: true })
  const clone = join(folder, 'tallyroom')
  run('git', ['clone', '--quiet', '--no-checkout', root, clone])
  run('git', ['checkout', '--quiet', '--detach', commit], { cwd: clone })
  run('sh', ['-c', `umask ${umask} && npm run release -- --to=../dist --sign="$KEY"`], {
    cwd: clone,
    env: { ...withoutVitest(), ...env, KEY: key },
  })
  return join(folder, 'dist')
}

/** Vitest says in the environment that this is a test, and npm where its script runs. */
const withoutVitest = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /^(VITEST|NODE_ENV|NODE_OPTIONS|npm_|INIT_CWD)/.test(name))
      .map((name) => [name, undefined]),
  )
