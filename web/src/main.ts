import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import './parts/install.svelte'
import { best, speak } from './net/words.svelte'
import { settings } from './parts/settings.svelte'

void speak(best(settings.language))
mount(App, { target: document.body })
