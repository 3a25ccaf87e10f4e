import { access, constants, stat } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'

/** The system user that runs PostgreSQL. `ids` is set if it is not the current user. */
export type OsUser = { name: string; ids?: { uid: number; gid: number } }

/**
 * PostgreSQL refuses to run as root. So root runs it as the owner of its data folder, or as `nobody` if there
 * is none yet. Other users run it themselves.
 */
export async function engineUser(dataFolder: string): Promise<OsUser> {
  const self = userInfo()
  const owner = await stat(dataFolder).catch(() => undefined)
  if (self.uid !== 0) {
    if (owner && owner.uid !== self.uid && process.platform !== 'win32') {
      throw new OperatorError(
        `The database in ${dataFolder} belongs to the user "${userName(owner.uid)}". ` +
          'Start Tallyroom as that user, or choose another folder with DATA_DIR.',
      )
    }
    return { name: self.username }
  }
  if (owner && owner.uid !== 0) {
    return { name: userName(owner.uid), ids: { uid: owner.uid, gid: owner.gid } }
  }
  return { name: 'nobody', ids: { uid: idOf('-u', 'nobody'), gid: idOf('-g', 'nobody') } }
}

function userName(uid: number): string {
  const found = spawnSync('id', ['-un', String(uid)], { encoding: 'utf8' })
  if (found.status !== 0)
    throw new OperatorError(`The database folder belongs to an unknown user (${uid}).`)
  return found.stdout.trim()
}

function idOf(flag: '-u' | '-g', name: string): number {
  const found = spawnSync('id', [flag, name], { encoding: 'utf8' })
  if (found.status !== 0) {
    throw new OperatorError(
      `PostgreSQL can't run as root, and there is no user "${name}" to run it. ` +
        'Start Tallyroom as another user, or name a server in DATABASE_URL.',
    )
  }
  return Number(found.stdout)
}

/** Explains why `user` cannot run or reach `path`, and what to do about it. */
export async function explainUnreachable(path: string, user: OsUser): Promise<string> {
  const closed = user.ids ? await firstClosedFolder(path, user.ids) : undefined
  if (closed) {
    return (
      `PostgreSQL runs as the user "${user.name}", who may not enter ${closed}. ` +
      `Allow it with: chmod o+x ${closed} — or choose another folder with DATA_DIR.`
    )
  }
  const runs = await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
  return runs
    ? `The user "${user.name}" may not run ${path}.`
    : `${path} can't be run. Is its folder on a file system mounted "noexec"? Choose another with DATA_DIR.`
}

async function firstClosedFolder(
  path: string,
  { uid, gid }: { uid: number; gid: number },
): Promise<string | undefined> {
  const folders: string[] = []
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    folders.unshift(folder)
  }
  for (const folder of folders) {
    const entry = await stat(folder)
    const mayEnter = entry.uid === uid ? 0o100 : entry.gid === gid ? 0o010 : 0o001
    if ((entry.mode & mayEnter) === 0) return folder
  }
  return undefined
}
