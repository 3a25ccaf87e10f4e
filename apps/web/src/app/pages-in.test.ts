import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pagesIn } from '../../pages-in.ts'

const tableOf = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')

test('a page is found with the file of its component, whether the table names it or shares it', () => {
  expect(pagesIn(tableOf('people/offices/offices.routes.ts'))).toContainEqual({
    path: '/app/offices/edit/$companyId',
    module: './OfficeFormPage.tsx',
  })
  expect(pagesIn(tableOf('pay/pay.routes.ts'))).toContainEqual({
    path: '/app/pay/periods/$name',
    module: './pages.ts',
  })
})

test('a page outside the frame keeps its path', () => {
  expect(pagesIn(tableOf('people/auth/auth.routes.ts'))).toContainEqual({
    path: '/login',
    module: './LoginPage.tsx',
  })
})

test('tabs are no pages', () => {
  expect(pagesIn(tableOf('app/objects/objects.routes.ts')).map(({ path }) => path)).toEqual([
    '/app/offices/$companyId',
    '/app/agents/$agentId',
    '/app/sites/$siteId',
  ])
})
