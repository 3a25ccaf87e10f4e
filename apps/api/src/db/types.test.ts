import { expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { runCodegen } from '../../test/run-codegen.ts'

const { connection } = await testDatabase()

test('types.ts matches the migrated database (npm run db:types regenerates it)', () => {
  expect(runCodegen(connection, ['--verify'])).toEqual({ status: 0, said: '' })
})
