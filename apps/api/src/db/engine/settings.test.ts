import { expect, test } from 'vitest'
import { settingsFor } from './settings.ts'

const GB = 1024 ** 3

test('memory and write-ahead log fit the machine, within bounds', () => {
  expect(settingsFor({ memory: 4 * GB, freeDisk: 2.5 * GB })).toMatchObject({
    shared_buffers: '512MB',
    max_wal_size: '256MB',
    min_wal_size: '64MB',
  })
  expect(settingsFor({ memory: 0.5 * GB, freeDisk: 0 })).toMatchObject({
    shared_buffers: '128MB',
    max_wal_size: '64MB',
    min_wal_size: '32MB',
  })
  expect(settingsFor({ memory: 256 * GB, freeDisk: 4_000 * GB })).toMatchObject({
    shared_buffers: '1024MB',
    max_wal_size: '512MB',
    min_wal_size: '128MB',
  })
})
