import { useRouter, type LinkProps } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page was opened from its list, which is one step back. */
    fromList?: boolean
  }
}

/** The state of a link from a list to one of its forms. */
export const FROM_LIST = { fromList: true }

/** The address of a list, by the pattern of its route. */
export type ListAddress = NonNullable<LinkProps['to']>

/**
 * Leads from a form back to its list: as it was left (page, criteria, sort) when it was opened from there.
 * @param ignoreBlocker does not ask about unsaved changes: what they were made to is gone
 */
export function useBackToList(
  list: ListAddress,
  { ignoreBlocker = false, params }: { ignoreBlocker?: boolean; params?: object | undefined } = {},
) {
  const { history, navigate } = useRouter()
  return () => {
    if (history.location.state.fromList) history.back({ ignoreBlocker })
    else void navigate({ to: list, ignoreBlocker, ...(params && { params }) })
  }
}
