import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { syncToDisk } from '../../lib/disk.ts'
import type { Click } from './click.ts'
import { writeSpoolLine } from './spool-line.ts'
import { isRunning, thisProcess } from './spool-owner.ts'

/** Buffers clicks on disk while the database is unavailable. */
export type ClickSpool = {
  /** Resolves once the click is flushed to disk; rejects if the disk fails. */
  append(click: Click): Promise<void>
  /** Releases the current file, if any, for loading. */
  release(): Promise<void>
  /**
   * Claims the files to load, including those of dead processes, exclusively while this process runs. Returns
   * their paths, oldest first.
   */
  claim(): Promise<string[]>
  /** Returns a claimed file, to be loaded later. */
  giveBack(path: string): Promise<void>
}

/**
 * The spool in a folder that all processes of a machine share. The file name states who owns it: `{time of the
 * first click}-{random}.writing.{process}`, then `….ready`, then `….loading.{process}`.
 */
export function openSpool(folder: string): ClickSpool {
  let file: { handle: FileHandle; path: string; length: number } | undefined
  let waiting: Waiting[] = []
  let turns: Promise<unknown> = Promise.resolve()

  function inTurn(task: () => Promise<void>): Promise<void> {
    const turn = turns.then(task)
    turns = turn.catch(() => undefined)
    return turn
  }

  /** Clicks that arrive during a write share the next one and its fsync. */
  async function writeWaiting(): Promise<void> {
    const group = waiting
    waiting = []
    try {
      await write(group.map(({ click }) => click))
      for (const { resolve } of group) resolve()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  async function write(clicks: readonly Click[]): Promise<void> {
    const lines = Buffer.from(clicks.map(writeSpoolLine).join(''))
    file ??= await create(clicks)
    try {
      await file.handle.appendFile(lines)
      await file.handle.datasync()
      file.length += lines.length
    } catch (error) {
      // A partial write was not acknowledged. After a failed sync, the file itself cannot be trusted.
      await file.handle.truncate(file.length).catch(() => undefined)
      await closeFile().catch(() => undefined)
      throw error
    }
  }

  async function create([first]: readonly Click[]) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const name = `${first?.clickedAtMs ?? 0}-${randomBytes(4).toString('hex')}`
    const path = join(folder, `${name}.writing.${thisProcess}`)
    const handle = await open(path, 'ax', 0o600)
    await syncToDisk(folder)
    return { handle, path, length: 0 }
  }

  async function closeFile(): Promise<void> {
    if (!file) return
    const { handle, path } = file
    file = undefined
    await handle.close()
    await rename(path, inState(path, 'ready'))
  }

  return {
    append(click) {
      return new Promise((resolve, reject) => {
        waiting.push({ click, resolve, reject })
        if (waiting.length === 1) void inTurn(writeWaiting)
      })
    },
    release: () => inTurn(closeFile),
    async claim() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      const claimed: string[] = []
      for (const name of names.toSorted((a, b) => (a < b ? -1 : 1))) {
        const [isSpool, owner] = FILE_NAME.exec(name) ?? []
        if (!isSpool || (owner && isRunning(owner))) continue
        const path = join(folder, name)
        const mine = inState(path, `loading.${thisProcess}`)
        if (await renameUnlessGone(path, mine)) claimed.push(mine)
      }
      return claimed
    },
    async giveBack(path) {
      await rename(path, inState(path, 'ready'))
    },
  }
}

type Waiting = { click: Click; resolve: () => void; reject: (reason: unknown) => void }

const FILE_NAME = /^\d+-[\da-f]+\.(?:ready|(?:writing|loading)\.([^.]+))$/

/** The path of a spool file in another state. */
export const inState = (path: string, state: string): string =>
  path.replace(/\.(ready|(writing|loading)\.[^.]+)$/, `.${state}`)

/** False if another process has already taken the file. */
async function renameUnlessGone(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}
