import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isSealedWith, open, openWithAny, seal } from './cipher.ts'
import { deriveKey, provideSecrets, rotateSecret } from './secrets.ts'

const home = await mkdtemp(join(tmpdir(), 'tallyroom-keys-'))
afterAll(() => rm(home, { recursive: true }))
let folders = 0

function keyPath(): string {
  return join(home, String(++folders), 'secret.key')
}

describe('the key file', () => {
  test('is created on the first start, for its owner only, and stays', async () => {
    const path = keyPath()
    const { secret, formerSecrets } = await provideSecrets(path)
    expect(secret).toHaveLength(32)
    expect(formerSecrets).toEqual([])
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readFile(path, 'utf8')).toBe(`${secret.toString('base64')}\n`)
    expect(await provideSecrets(path)).toEqual({ secret, formerSecrets })
  })

  test('is created once if several processes do so at the same time, and nothing else is left', async () => {
    const path = keyPath()
    const secrets = await Promise.all(Array.from({ length: 20 }, () => provideSecrets(path)))
    expect(new Set(secrets.map(({ secret }) => secret.toString('hex'))).size).toBe(1)
    expect(await readdir(join(path, '..'))).toEqual(['secret.key'])
  })

  test('gets a new first key and keeps the old ones', async () => {
    const path = keyPath()
    const { secret: first } = await provideSecrets(path)
    await rotateSecret(path)
    const { secret: second } = await provideSecrets(path)
    await rotateSecret(path)
    const { secret: third, formerSecrets } = await provideSecrets(path)
    expect(formerSecrets).toEqual([second, first])
    expect(new Set([first, second, third].map((key) => key.toString('hex'))).size).toBe(3)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(dirname(path))).toEqual(['secret.key'])
  })

  test('is not created by adding a key', async () => {
    await expect(rotateSecret(keyPath())).rejects.toThrow('no secret key file')
  })

  test('is refused if others can read it', async () => {
    const path = keyPath()
    await provideSecrets(path)
    await chmod(path, 0o640)
    await expect(provideSecrets(path)).rejects.toThrow(`chmod 600 ${path}`)
  })

  test.each([
    ['nothing', ''],
    ['a key and something else', `${Buffer.alloc(32).toString('base64')}\nmore`],
    ['too few bytes', Buffer.alloc(31).toString('base64')],
    ['something that is not base64', `${'*'.repeat(43)}=`],
  ])('that holds %s is refused, not replaced', async (_, content) => {
    const path = keyPath()
    await mkdir(dirname(path))
    await writeFile(path, content, { mode: 0o600 })
    await expect(provideSecrets(path)).rejects.toThrow('must have one key per line')
    expect(await readFile(path, 'utf8')).toBe(content)
  })
})

const secret = Buffer.alloc(32, 7)

test('a key is the same for one purpose and different for each other', () => {
  const purposes = ['session-token', 'click-id', 'site-keys', 'password-column'] as const
  const keys = purposes.map((purpose) => deriveKey(secret, purpose).toString('hex'))
  expect(new Set(keys).size).toBe(purposes.length)
  expect(deriveKey(secret, 'click-id').toString('hex')).toBe(keys[1])
  expect(deriveKey(Buffer.alloc(32, 8), 'click-id').toString('hex')).not.toBe(keys[1])
})

describe('an encrypted value', () => {
  const key = deriveKey(secret, 'site-keys')

  test.each(['', 'a', 'pässwörd ₱ 😀', 'x'.repeat(10_000)])('can be decrypted: %s', (plaintext) => {
    expect(open(key, seal(key, plaintext, 'site 1'), 'site 1')).toBe(plaintext)
  })

  test('is different each time', () => {
    expect(seal(key, 'same', '')).not.toEqual(seal(key, 'same', ''))
  })

  test('can be decrypted neither elsewhere nor with another key', () => {
    const sealed = seal(key, 'text', 'site 1')
    expect(() => open(key, sealed, 'site 2')).toThrow()
    expect(() => open(deriveKey(secret, 'click-id'), sealed, 'site 1')).toThrow(
      'another secret key',
    )
  })

  test('can be decrypted with whichever of several keys encrypted it', () => {
    const other = deriveKey(Buffer.alloc(32, 9), 'site-keys')
    const sealed = seal(key, 'text', 'site 1')
    expect(openWithAny([other, key], sealed, 'site 1')).toBe('text')
    expect(openWithAny([other], sealed, 'site 1')).toBeUndefined()
    expect(openWithAny([other, key], sealed, 'site 2')).toBeUndefined()
    expect([isSealedWith(key, sealed), isSealedWith(other, sealed)]).toEqual([true, false])
  })

  test('can’t be decrypted after any byte was changed or lost', () => {
    const sealed = seal(key, 'text', 'site 1')
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(() => open(key, changed, 'site 1')).toThrow()
      expect(() => open(key, sealed.subarray(0, index), 'site 1')).toThrow()
    }
  })
})
