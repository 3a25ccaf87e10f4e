import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findShortLink } from '@tallyroom/domain/short-link'
import { afterAll, expect, test } from 'vitest'
import { buildApp } from '../src/app.ts'
import { testDatabase } from './database.ts'
import { testServices } from './services.ts'
import { routePaths } from './web-routes.ts'

const app = await buildApp(testServices(await testDatabase()))
afterAll(() => app.close())

/** The first part of a path, if all of it is written down. */
const wordsOf = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => /^\/([^/$:* ]+)/.exec(path)?.[1] ?? [])),
]

const shortLinksAmong = (words: readonly string[]): string[] =>
  words.filter((word) => findShortLink(`/${word}`) !== undefined)

test('no page of the web app is a short link', () => {
  const words = wordsOf(routePaths())
  expect(words).toEqual(expect.arrayContaining(['login', 'second-factor', 'not-me', 'how-to-sell']))
  expect(shortLinksAmong(words)).toEqual([])
})

test('nothing that the server answers at its root is a short link', () => {
  const tree = app.printRoutes({ commonPrefix: false })
  const words = wordsOf(tree.split('\n').map((line) => line.replace(/^[├└]── /u, '')))
  const files = readdirSync(join(import.meta.dirname, '../../web/public'))
  expect(words).toEqual(expect.arrayContaining(['api', 'offline', 'robots.txt']))
  expect(shortLinksAmong([...words, ...files, 'app', 'assets'])).toEqual([])
})
