import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { guideUrl, withTables } from '../../../test/tracker-table.ts'

test("the merchant's guide has the names and words that are read", async () => {
  const guide = await readFile(guideUrl, 'utf8')
  expect(guide.match(/: generated -->/g)).toHaveLength(3)
  // If this fails: node apps/api/test/tracker-table.ts
  expect(guide).toBe(withTables(guide))
})
