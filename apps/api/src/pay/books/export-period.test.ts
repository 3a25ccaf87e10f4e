import { BALANCE_ENTRY_KINDS } from '@tallyroom/domain/pay'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/database.ts'
import { EXPORT_ENTRIES } from '../closing/export-period.ts'

const { pool } = await testDatabase()

test('the database knows the same kinds of entries of balances', async () => {
  const { rows } = await pool.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = 'balance_entries'::regclass and conname = 'balance_entries__kind'`,
  )
  const kinds = [...(rows[0]?.definition.matchAll(/'([a-z ]+)'::text/g) ?? [])].map(
    ([, one]) => one,
  )
  expect(new Set(kinds)).toEqual(new Set(BALANCE_ENTRY_KINDS))
})

test('the documentation names each entry of the export', async () => {
  const text = await readFile(new URL('../../../../../docs/operations.md', import.meta.url), 'utf8')
  const table = /\| `entry` \| One row for \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(text)?.[1] ?? ''
  const named = [...table.matchAll(/^\| `([a-z -]+)` \|/gm)].map(([, one]) => one)
  expect(named).toEqual([...EXPORT_ENTRIES])
})
