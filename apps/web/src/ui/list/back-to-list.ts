import { useRouter, type LinkProps } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The page was opened from its list, which is one step back. */
    fromList?: boolean
  }
}

/** The state of a link from a list to one of its forms. */
export const FROM_LIST = { fromList: true }

/** Leads from a form back to its list: as it was left (page, criteria, sort) when it was opened from there. */
export function useBackToList(list: NonNullable<LinkProps['to']>) {
  const { history, navigate } = useRouter()
  return () => {
    if (history.location.state.fromList) history.back()
    else void navigate({ to: list })
  }
}
