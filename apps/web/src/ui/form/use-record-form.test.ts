import { type Manual, siteManualsEndpoints } from '@tallyroom/contract/catalogue/manuals'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { useRecordForm } from './use-record-form.ts'

afterEach(() => vi.unstubAllGlobals())

const manual: Manual = {
  id: 5,
  siteId: 3,
  sitename: 'Lantern Live',
  title: 'How to sell',
  html: '<p>Be kind.</p>',
  version: 8,
}

const valuesOf = ({ siteId, title, html }: Manual) => ({ siteId, title, html })

/** What a page gets from the hook. */
function opened(onSaved: () => void = () => undefined) {
  const params = { id: '5' }
  return hookIn(() =>
    useRecordForm({
      endpoint: siteManualsEndpoints.updateSiteManual,
      params,
      opened: {
        record: manual,
        reload: () => Promise.resolve(manual),
        valuesOf,
        labels: {},
      },
      bodyOf: ({ title, html }, version) => ({ title, html, version }),
      alsoRefused: ({ title }) => (title === 'Draft' ? { title: 'Choose a title' } : {}),
      onSaved,
    }),
  )
}

function hookIn<Made>(use: () => Made): Made {
  const made: Made[] = []
  const Page = () => {
    made.push(use())
    return null
  }
  const client = new QueryClient()
  renderToStaticMarkup(createElement(QueryClientProvider, { client }, createElement(Page)))
  return made[0] as Made // the page was rendered
}

/** A server that takes everything. */
function server() {
  const calls: unknown[][] = []
  vi.stubGlobal('fetch', (url: string, { method, body }: RequestInit) => {
    calls.push([method, url, JSON.parse(typeof body === 'string' ? body : '')])
    return Promise.resolve(Response.json({ id: 6, ok: true }))
  })
  return calls
}

test('a change is saved against the version that the form was filled with', async () => {
  const calls = server()
  await new Promise<void>((saved) => {
    const { form, frame } = opened(saved)
    expect(form.getInitialValues()).toEqual(valuesOf(manual))
    frame.onSubmit({ siteId: 3, title: 'How to sell it', html: '<p>Be kind.</p>' })
  })
  expect(calls).toEqual([
    [
      'POST',
      '/api/site-manuals/5',
      { title: 'How to sell it', html: '<p>Be kind.</p>', version: 8 },
    ],
  ])
})

test('a new record starts with its values and is saved without a version', async () => {
  const calls = server()
  const values = { siteId: 3, title: '', html: '' }
  const answer = await new Promise((onSaved) => {
    const { form, frame } = hookIn(() =>
      useRecordForm({
        endpoint: siteManualsEndpoints.createSiteManual,
        values,
        bodyOf: (typed, version) => ({ ...typed, ...(version && { version }) }),
        onSaved,
      }),
    )
    expect(form.getInitialValues()).toEqual(values)
    expect(frame).not.toHaveProperty('stale')
    frame.onSubmit({ siteId: 3, title: 'How to sell', html: '<p>Be kind.</p>' })
  })
  expect(answer).toEqual({ id: 6 })
  expect(calls).toEqual([
    ['PUT', '/api/site-manuals', { siteId: 3, title: 'How to sell', html: '<p>Be kind.</p>' }],
  ])
})

test.each([
  ['what the server would refuse', '', 'Enter a title'],
  ['what only the page knows', 'Draft', 'Choose a title'],
])('the form refuses %s', (_, title, message) => {
  const { form } = opened()
  form.setFieldValue('title', title)
  expect(form.validate().errors).toEqual({ title: message })
})
