// Resolve `window.over` when another worker controls the page.
export const watchController = () => {
  window.over = new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', () => done(true)))
}
