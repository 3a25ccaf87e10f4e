import { useSyncExternalStore } from 'react'
import { storedValue } from '../lib/stored.ts'

const collapsed = storedValue('tallyroom.menu-collapsed', (text) => text === 'true')

/** Whether the side menu shows icons only, remembered in this browser. */
export const useMenuCollapsed = () =>
  [useSyncExternalStore(collapsed.subscribe, collapsed.get) ?? false, collapsed.set] as const
