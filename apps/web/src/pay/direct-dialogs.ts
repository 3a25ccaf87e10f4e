// What the pages of a payee and of the settings have besides. One chunk, loaded after the page.
export { ConversionDialog } from './periods/ConversionDialog.tsx'
export { OutsideDialog } from './periods/OutsideDialog.tsx'
export { TaxCertificates } from './periods/TaxCertificates.tsx'
export { PayerDetails, TaxDetails } from './periods/TaxDetails.tsx'
