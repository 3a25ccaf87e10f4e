import type { QueryClient } from '@tanstack/react-query'

/** Refetches all pages of pay and Home: a change may show on any of them. */
export const refreshPay = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      typeof path === 'string' && /^\/api\/(pay|home)/.test(path),
  })
