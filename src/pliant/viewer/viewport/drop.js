// Files that are dropped on the page, or chosen by whatever carries the attribute data-open-file: sent to the server,
// which answers with the page to go to or with what is wrong with them.

export default {
  props: { path: String, largest: Number, endings: Array },
  template: `
    <div class="drop" :class="{ over: hovering }">
      <div v-if="hovering" class="drop-veil"><div class="drop-sign">Drop to open</div></div>
      <div v-if="text" class="drop-note" :class="{ wrong }" :role="wrong ? 'alert' : 'status'">
        <div class="drop-text">{{ text }}</div>
        <progress v-if="!wrong" :value="sent < 1 ? sent : undefined" max="1"></progress>
        <button type="button" class="drop-button" @click="close">{{ wrong ? "Close" : "Cancel" }}</button>
      </div>
      <input ref="input" type="file" multiple hidden :accept="endings.join()" @change="choose">
    </div>`,

  data: () => ({ hovering: false, text: "", wrong: false, sent: 0 }),

  mounted() {
    this.away = new AbortController();
    const on = (kind, act) => window.addEventListener(kind, act, { signal: this.away.signal });
    const files = (event) => event.dataTransfer?.types.includes("Files");
    on("dragover", (event) => {
      if (!files(event)) return;
      event.preventDefault();
      this.hovering = true;
    });
    on("dragleave", (event) => event.relatedTarget ?? (this.hovering = false)); // null: out of the window
    on("drop", (event) => {
      if (!files(event)) return;
      event.preventDefault(); // the browser would leave the page and show the file
      this.hovering = false;
      this.send([...event.dataTransfer.files]);
    });
    on("click", (event) => event.target.closest?.("[data-open-file]") && this.$refs.input.click());
  },

  unmounted() {
    this.away.abort();
    this.request?.abort();
  },

  methods: {
    choose(event) {
      this.send([...event.target.files]);
      event.target.value = ""; // the same file may be chosen again
    },

    send(files) {
      if (!files.length) return;
      this.request?.abort();
      const bytes = files.reduce((sum, file) => sum + file.size, 0);
      const mega = (number) => `${Math.round(number / 1e6)} MB`;
      if (bytes > this.largest) return this.complain(`${files[0].name}: ${mega(bytes)} are too much; drop at most ${mega(this.largest)}`);
      const form = new FormData();
      for (const file of files) form.append("files", file, file.name);
      const request = (this.request = new XMLHttpRequest());
      request.open("POST", this.path);
      request.responseType = "json";
      request.upload.onprogress = (event) => (this.sent = event.total ? event.loaded / event.total : 1);
      request.upload.onload = () => ((this.sent = 1), (this.text = `Reading ${files[0].name}`));
      request.onload = () => this.answer(request);
      request.onerror = () => this.complain("The files could not be sent; is Pliant still running?");
      Object.assign(this, { text: `Sending ${files[0].name}`, wrong: false, sent: 0 });
      request.send(form);
    },

    answer({ response, status }) {
      if (response?.page) location.assign(response.page);
      else this.complain(response?.problem ?? `The files were refused (${status})`);
    },

    complain(text) {
      Object.assign(this, { text, wrong: true });
    },

    close() {
      this.request?.abort();
      this.text = "";
    },
  },
};
