import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { FROM_CHECKLIST, useBackToList, type ListAddress } from '../list/back-to-list.ts'
import { toastSaved } from '../toasts.tsx'

interface FormEndOptions<Answer> {
  /** Parameters of the list's route. */
  params?: object
  /** The page that people usually need next, offered once the record is saved. */
  next?: (answer: Answer) => NextPage | undefined
}

export interface NextPage {
  /** With a verb: 'Add a link type'. */
  label: string
  to: ListAddress
  params?: object
  search?: object
}

/**
 * The ways to leave a form. All return to its list.
 * @param refresh refetches everything that shows the form's record
 */
export function useFormEnd<Answer = unknown>(
  list: ListAddress,
  refresh: (client: QueryClient) => unknown,
  { params, next }: FormEndOptions<Answer> = {},
) {
  const client = useQueryClient()
  const { history, navigate } = useRouter()
  const back = useBackToList(list, { params })
  const leave = useBackToList(list, { params, ignoreBlocker: true })
  return {
    onCancel: back,
    onSaved: (answer?: Answer) => {
      const page = answer === undefined ? undefined : next?.(answer)
      toastSaved(
        page && {
          label: page.label,
          open: () =>
            void navigate({
              ...addressOf(page),
              // A step taken from the checklist of a new network leads back to it.
              ...(history.location.pathname === '/app/home' && { state: FROM_CHECKLIST }),
            }),
        },
      )
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

/** Only a route's own types know its parameters. */
const addressOf = ({ to, params, search }: NextPage) =>
  ({ to, ...(params && { params }), ...(search && { search }) }) as { to: ListAddress }
