import { useBrand } from '../lib/brand.ts'
import { useMe } from '../lib/session.ts'
import { menuOf } from './menu.ts'

/** The entries and tabs that the user may open, and this brand offers. */
export const useMenu = () => menuOf(useMe(), useBrand())
