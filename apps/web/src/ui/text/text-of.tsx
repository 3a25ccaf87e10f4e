import { MantineProvider } from '@mantine/core'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'

/** For tests: what a person reads of a cell or a component. Blocks are separated by ` | `. */
export function textOf(node: ReactNode): string {
  const shown = (
    <MantineProvider>
      <RouterContextProvider router={router}>{node}</RouterContextProvider>
    </MantineProvider>
  )
  return renderToStaticMarkup(shown)
    .replaceAll(/<style.*?<\/style>/gs, '')
    .replaceAll(/<\/?(div|p|dt|dd|li|tr|td)\b[^>]*>/g, '|')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/^\|+|\|+$/g, '')
    .replaceAll(/\|+/g, ' | ')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
}

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
