import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useBackToList, type ListAddress } from '../list/back-to-list.ts'
import { toastSaved } from '../toasts.tsx'

/**
 * How a form ends: each way leads back to its list.
 * @param refresh renews everything that shows what the form is about
 */
export function useFormEnd(
  list: ListAddress,
  refresh: (client: QueryClient) => unknown,
  { params }: { params?: object } = {},
) {
  const client = useQueryClient()
  const back = useBackToList(list, { params })
  const leave = useBackToList(list, { params, ignoreBlocker: true })
  return {
    onCancel: back,
    onSaved: () => {
      toastSaved()
      void refresh(client)
      back()
    },
    /** Does not ask about unsaved changes: what they were made to is gone. */
    onDeleted: () => {
      leave()
      void refresh(client)
    },
  }
}
