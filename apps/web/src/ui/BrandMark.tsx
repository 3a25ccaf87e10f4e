import { useComputedColorScheme } from '@mantine/core'
import { logoUrl, useBrand } from '../lib/brand.ts'
import classes from './BrandMark.module.css'

interface BrandMarkProps {
  size?: 'normal' | 'large'
  /** Hides the name, except from screen readers. */
  logoOnly?: boolean
}

/** The logo and name of the installation's brand, in a light or a dark version. */
export function BrandMark({ size = 'normal', logoOnly = false }: BrandMarkProps) {
  const brand = useBrand()
  return (
    <span className={classes.mark} data-size={size}>
      <img src={logoUrl(brand, useComputedColorScheme())} alt={logoOnly ? brand.name : ''} />
      {!logoOnly && <span>{brand.name}</span>}
    </span>
  )
}

BrandMark.Copyright = function Copyright() {
  return <small className={classes.copyright}>{useBrand().copyright}</small>
}
