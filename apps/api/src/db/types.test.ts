import { expect, test } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { runCodegen } from '../../test/run-codegen.ts'

const { connection } = await testDatabase()

test('types.ts says what the migrated database says (npm run db:types writes it anew)', () => {
  expect(runCodegen(connection, ['--verify'])).toEqual({ status: 0, said: '' })
})
