// A button that sends a file to the server, for the studio.

export default {
  props: { path: String, largest: Number, endings: Array },
  emits: ["shape", "wrong"],
  data: () => ({ busy: false }),
  template: `
    <div class="shape-file">
      <q-btn outline dense no-caps size="sm" color="soft" icon="upload_file" :loading="busy" label="Choose a file" @click="$refs.input.click()" />
      <input ref="input" type="file" hidden :accept="endings.join(',')" aria-label="Shape from a file" @change="send" />
    </div>`,

  methods: {
    async send(event) {
      const [file] = event.target.files;
      event.target.value = ""; // the same file again is a change, too
      if (!file) return;
      if (file.size > this.largest) return this.$emit("wrong", `${file.name}: this file is too large`);
      const form = new FormData();
      form.append("files", file, file.name);
      this.busy = true;
      try {
        const answer = await (await fetch(this.path, { method: "POST", body: form })).json();
        if (answer.shape) this.$emit("shape", answer.shape);
        else this.$emit("wrong", answer.problem ?? "the file did not arrive; try again");
      } catch {
        this.$emit("wrong", "the server does not answer; try again");
      } finally {
        this.busy = false;
      }
    },
  },
};
