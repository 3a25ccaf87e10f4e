import { expect, test } from 'vitest'
import { buildSite } from '../../../test/build-world.ts'
import { testDatabase } from '../../../test/database.ts'
import { testServices } from '../../../test/services.ts'
import { makeSiteKeys } from './site-keys.ts'

const database = await testDatabase()
const services = testServices(database)

test('after a rotation, sites’ keys are read, then re-encrypted, and the old secret is not needed', async () => {
  const site = await buildSite(database.db)
  const { key } = await makeSiteKeys(services).provide(site)
  const newest = { ...services, secret: Buffer.alloc(32, 'newest') }
  const rotated = makeSiteKeys({ ...newest, formerSecrets: [services.secret] })
  expect(await rotated.findAll()).toEqual(new Map([[site, [key]]]))

  const withoutOld = makeSiteKeys({ ...newest, formerSecrets: [] })
  await expect(withoutOld.findAll()).rejects.toThrow('SECRET_KEY_FILE')
  await rotated.reseal()
  expect(await withoutOld.findAll()).toEqual(new Map([[site, [key]]]))
})
