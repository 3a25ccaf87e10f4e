import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useBackToList, type ListAddress } from '../list/back-to-list.ts'
import { toastSaved } from '../toasts.tsx'

/**
 * The ways to leave a form. All return to its list.
 * @param refresh refetches everything that shows the form's record
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
    /** Does not ask about unsaved changes, because the record is gone. */
    onDeleted: () => {
      leave()
      void refresh(client)
    },
  }
}
