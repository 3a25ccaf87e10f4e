import { useComputedColorScheme } from '@mantine/core'
import { logoUrl, useBrand } from '../lib/brand.ts'
import classes from './BrandMark.module.css'

interface BrandMarkProps {
  size?: 'normal' | 'large'
  /** The name is left to screen readers. */
  logoOnly?: boolean
}

/** The brand logo switcher: logo and name of the brand that the installation wears, for the ground that is chosen. */
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
