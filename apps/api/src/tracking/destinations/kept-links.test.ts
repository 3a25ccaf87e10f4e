import { mkdir, mkdtemp, rm, rmdir, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { silentLog } from '../../lib/log/log.ts'
import { keepLinksOnDisk, readKeptLinks } from './kept-links.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'tallyroom-kept-'))
afterAll(() => rm(dataDir, { recursive: true }))

const facts = { sites: [], types: [], agents: [], officeSites: [], agentSitesOff: [] }
const addressesOf = async () => (await readKeptLinks(dataDir))?.blacklist

test('what could not be written is written once it can be, and the former file is not renewed meanwhile', async () => {
  const error = vi.fn<(...told: unknown[]) => void>()
  const kept = keepLinksOnDisk(dataDir, { isCurrent: () => true }, { ...silentLog, error })
  kept.keep({ facts, shortLinks: [], blacklist: ['203.0.113.1'] })
  await vi.waitFor(async () => expect(await addressesOf()).toEqual(['203.0.113.1']), 10_000)

  const path = join(dataDir, 'links.json')
  const long = new Date('2026-02-17T00:00:00Z')
  await utimes(path, long, long)
  const draft = `${path}.${process.pid}`
  await mkdir(draft)
  kept.keep({ blacklist: ['203.0.113.2'] })
  await vi.waitFor(() => expect(error).toHaveBeenCalled(), 10_000)
  expect((await stat(path)).mtime).toEqual(long)
  await rmdir(draft)
  await vi.waitFor(async () => expect(await addressesOf()).toEqual(['203.0.113.2']), 10_000)
  await kept.stop()
})
