// What the pages of a payee and of the settings have besides. One chunk, loaded after the page.
export { ConversionDialog } from './ConversionDialog.tsx'
export { OutsideDialog } from './OutsideDialog.tsx'
export { TaxCertificates } from './TaxCertificates.tsx'
export { PayerDetails, TaxDetails } from './TaxDetails.tsx'
