// What a payee's page has besides its balance. One chunk, loaded after the page.
export { ConversionDialog } from './ConversionDialog.tsx'
export { OutsideDialog } from './OutsideDialog.tsx'
export { TaxDetails } from './TaxDetails.tsx'
