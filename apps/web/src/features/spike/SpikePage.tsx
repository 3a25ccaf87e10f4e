export const SpikePage = () => <p>spike</p>
